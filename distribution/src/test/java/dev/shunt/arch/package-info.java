/**
 * The mechanical rules of the house, over the compiled classes of every module. What lies in {@code
 * planted} breaks each of them on purpose, to show that the rule bites.
 */
package dev.shunt.arch;
