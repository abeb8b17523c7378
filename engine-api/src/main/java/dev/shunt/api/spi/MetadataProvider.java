package dev.shunt.api.spi;

/** Makes a {@link MetadataBackend}. Configured under {@code shunt.metadata.ID}. */
public interface MetadataProvider extends Provider {
  /** Makes the backend of one engine. Does no I/O. */
  MetadataBackend create(MetadataContext context);
}
