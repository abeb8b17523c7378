/**
 * Links that tests take down and bring back, behind the transport's seam {@link
 * dev.shunt.transport.tcp.links.LinkSource}. No thread and no time of their own: what a test does
 * is told to the supervisors of those that watch.
 */
package dev.shunt.transport.tcp.testing;
