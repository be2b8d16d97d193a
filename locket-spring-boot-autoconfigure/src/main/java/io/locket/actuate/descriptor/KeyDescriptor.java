package io.locket.actuate.descriptor;

import io.locket.JobKey;
import org.jspecify.annotations.Nullable;

/**
 * The key of a job or of a lease.
 *
 * @param digest the digest, which identifies the lease of the key
 * @param text the readable form, or a mask, or {@code null} if it is unknown
 */
public record KeyDescriptor(String digest, @Nullable String text) {

	static @Nullable KeyDescriptor of(@Nullable JobKey key, ArgumentMask mask) {
		return (key != null) ? new KeyDescriptor(key.digest(), mask.key(key.job(), key.text())) : null;
	}

}
