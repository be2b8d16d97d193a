package io.locket.lease.redis;

import io.locket.LeaseHolder;

/**
 * Reader of holder records, wherever they are stored.
 */
public final class HolderText {

	private HolderText() {
	}

	/**
	 * Reads a holder record.
	 * @param text the record, or empty
	 * @param owner the owner of the key: the same record, or its token
	 * @return the holder, or a foreign one if the record is not the owner's
	 */
	public static LeaseHolder read(String text, String owner) {
		HolderRecord holder = HolderRecord.parse(text);
		return (holder != null && (text.equals(owner) || holder.token().equals(owner))) ? holder.toLeaseHolder()
				: LeaseHolder.foreign();
	}

}
