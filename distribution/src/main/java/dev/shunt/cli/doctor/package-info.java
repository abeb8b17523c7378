/**
 * What {@code shunt doctor} looks at: one class for each part of the machine, which reads and
 * changes nothing, and says what would be right. Files of the kernel are read below a root that
 * tests may give. The command comes in; nothing else does.
 */
package dev.shunt.cli.doctor;
