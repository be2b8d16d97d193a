package io.locket.job;

/**
 * A bean with jobs.
 *
 * @param name the name under which others know the bean
 * @param targetName the name of the object behind a scoped proxy, or the same name
 * @param type the class of the object whose methods run
 */
record JobBean(String name, String targetName, Class<?> type) {

	boolean isScoped() {
		return !this.name.equals(this.targetName);
	}

}
