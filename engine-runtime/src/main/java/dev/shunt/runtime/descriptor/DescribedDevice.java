package dev.shunt.runtime.descriptor;

/**
 * An RDMA device, as TENT lists it.
 *
 * @param lid 0 to 65535
 */
public record DescribedDevice(String name, int lid, String gid) {}
