/**
 * The machines behind the policy: pure, time goes in as nanoseconds. This module and tests come in.
 */
package dev.shunt.policy.failover.core;
