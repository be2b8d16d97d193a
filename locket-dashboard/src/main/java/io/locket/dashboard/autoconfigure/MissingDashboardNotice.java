package io.locket.dashboard.autoconfigure;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

import org.springframework.beans.factory.SmartInitializingSingleton;

/**
 * A notice in the log that the dashboard is not served although it is on the class path.
 */
class MissingDashboardNotice implements SmartInitializingSingleton {

	private static final Log logger = LogFactory.getLog(MissingDashboardNotice.class);

	private final String basePath;

	private final String reason;

	MissingDashboardNotice(String basePath, String reason) {
		this.basePath = basePath;
		this.reason = reason;
	}

	@Override
	public void afterSingletonsInstantiated() {
		logger.warn("The dashboard is not served at " + this.basePath + ", because " + this.reason
				+ ", or locket.dashboard.enabled=false");
	}

}
