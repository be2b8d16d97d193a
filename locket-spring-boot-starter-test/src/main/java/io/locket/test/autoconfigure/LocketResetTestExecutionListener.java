package io.locket.test.autoconfigure;

import io.locket.test.LocketTester;

import org.springframework.core.Ordered;
import org.springframework.test.context.TestContext;
import org.springframework.test.context.TestExecutionListener;

/**
 * Listener that resets the {@link LocketTester} of a context before each test method. It
 * runs after the context is available, and before transactions, {@code @Sql} scripts and
 * {@code @BeforeEach} methods.
 */
class LocketResetTestExecutionListener implements TestExecutionListener, Ordered {

	/**
	 * The order between the injection of dependencies (2000) and transactions (4000).
	 */
	static final int ORDER = 3500;

	@Override
	public int getOrder() {
		return ORDER;
	}

	@Override
	public void beforeTestMethod(TestContext testContext) {
		if (testContext.hasApplicationContext()) {
			testContext.getApplicationContext().getBeanProvider(LocketTester.class).ifAvailable(LocketTester::reset);
		}
	}

}
