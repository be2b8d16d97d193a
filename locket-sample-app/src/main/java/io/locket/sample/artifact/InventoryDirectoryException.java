package io.locket.sample.artifact;

/**
 * Exception for a directory in {@code inventory.dir} that cannot be used.
 */
class InventoryDirectoryException extends RuntimeException {

	private final String directory;

	InventoryDirectoryException(String directory, String problem) {
		super("inventory.dir '" + directory + "' " + problem);
		this.directory = directory;
	}

	String getDirectory() {
		return this.directory;
	}

}
