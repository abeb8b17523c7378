/**
 * The command line {@code shunt}: a class for each command, which holds its options, and beside it
 * the one that does the work. Nothing else comes in here.
 */
package dev.shunt.cli;
