/**
 * Typed notification frames, their stamps, and the receiver's window. Only this module comes in
 * here; the runtime sees the provider. It provides nothing yet: notifications go raw, and at most
 * once.
 */
package dev.shunt.policy.notifydedup;
