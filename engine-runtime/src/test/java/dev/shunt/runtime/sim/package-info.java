/**
 * The simulator: whole engines, with the production code of all that stands above the lowest seams,
 * in a virtual world of one thread. A seed gives the story: who asks whom for what, and what fails.
 */
package dev.shunt.runtime.sim;
