package io.locket.lease;

import io.locket.LeaseHolder;

/**
 * Reads what the holder of a key has written of itself, wherever it is kept.
 */
public final class HolderText {

	private HolderText() {
	}

	/**
	 * Read a holder record.
	 * @param text the record, empty for none
	 * @param owner the owner of the key
	 * @return the holder, or a foreign one if the record is not the owner's
	 */
	public static LeaseHolder read(String text, String owner) {
		HolderRecord holder = HolderRecord.parse(text);
		return (holder != null && holder.token().equals(owner)) ? holder.toLeaseHolder() : LeaseHolder.foreign();
	}

}
