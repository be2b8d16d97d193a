package io.locket.job.catalog;

/**
 * Bean with jobs.
 *
 * @param name the public name of the bean
 * @param targetName the name of the target behind a scoped proxy, or the same name
 * @param type the class of the target
 */
record JobBean(String name, String targetName, Class<?> type) {

	boolean isScoped() {
		return !this.name.equals(this.targetName);
	}

}
