/** Stamps notifications, and drops copies of those that were already delivered. */
module dev.shunt.policy.notifydedup {
  requires dev.shunt.api;
}
