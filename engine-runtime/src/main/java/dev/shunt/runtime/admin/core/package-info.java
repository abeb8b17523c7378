/** Decides whether a thread stands still: no thread or clock of its own. */
package dev.shunt.runtime.admin.core;
