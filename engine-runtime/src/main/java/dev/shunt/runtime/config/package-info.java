/**
 * Configuration: laid over the modules' defaults, resolved, held strictly against those defaults,
 * and read into records. What is wrong is told with file, line and what would be right. The
 * engine's assembly and the command line come in; no plug-in does. {@link
 * dev.shunt.runtime.config.ConfigLoader} is the door, and {@link
 * dev.shunt.runtime.config.Inspection} what it gives to those who want to see all that is wrong.
 */
package dev.shunt.runtime.config;
