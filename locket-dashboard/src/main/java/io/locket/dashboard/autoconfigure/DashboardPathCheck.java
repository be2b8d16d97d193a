package io.locket.dashboard.autoconfigure;

import io.locket.autoconfigure.diagnostics.InvalidLocketConfigurationException;
import io.locket.autoconfigure.diagnostics.InvalidLocketConfigurationException.Problem;
import io.locket.dashboard.DashboardPage;

import org.springframework.beans.factory.SmartInitializingSingleton;

/**
 * A check at start-up that the endpoint does not hide the page. Both have the path
 * {@code /locket} where the base path of the endpoints is {@code /}.
 */
class DashboardPathCheck implements SmartInitializingSingleton {

	private final DashboardPage page;

	DashboardPathCheck(DashboardPage page) {
		this.page = page;
	}

	@Override
	public void afterSingletonsInstantiated() {
		if (this.page.isBelowEndpoint()) {
			throw new InvalidLocketConfigurationException(new Problem("locket.dashboard.base-path",
					this.page.basePath(), "is served by the endpoint 'locket'.",
					"Write a path outside the endpoint, such as /jobs."));
		}
	}

}
