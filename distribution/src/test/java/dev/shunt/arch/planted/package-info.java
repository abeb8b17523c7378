/** A house in which every rule is broken. Nothing here ever runs. */
package dev.shunt.arch.planted;
