/**
 * The application's side: opening an engine, registering memory, submitting transfers and awaiting
 * their two ends, notifications. Every application may come in here.
 */
package dev.shunt.api;
