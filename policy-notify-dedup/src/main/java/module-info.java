/**
 * The place of what stamps notifications and drops copies of those that were delivered. It provides
 * nothing yet, and is in no image.
 */
module dev.shunt.policy.notifydedup {
  requires dev.shunt.api;
}
