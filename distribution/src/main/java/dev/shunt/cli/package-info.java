/** The command line {@code shunt}: one class for each command. Nothing else comes in here. */
package dev.shunt.cli;
