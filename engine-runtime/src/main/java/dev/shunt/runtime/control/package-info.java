/** The control plane: requests between nodes, beside the data. */
package dev.shunt.runtime.control;
