package io.locket.job.recording.other;

import io.locket.job.recording.Recordable;

/**
 * Has a method that nothing in another package can override.
 */
public class OtherPackage {

	void hidden() {
	}

	public void open() {
		throw new AssertionError("must not run");
	}

	public static Recordable<OtherPackage> hiddenCall() {
		return OtherPackage::hidden;
	}

}
