/** Tests of what {@code shunt doctor} looks at, over a kernel of files. */
package dev.shunt.cli.doctor;
