package io.locket.sample.artifact;

/**
 * {@code inventory.dir} cannot be inventoried.
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
