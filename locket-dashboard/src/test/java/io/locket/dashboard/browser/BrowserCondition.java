package io.locket.dashboard.browser;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Condition that disables tests on machines without a browser and logs the reason.
 */
class BrowserCondition implements ExecutionCondition {

	private static final Log logger = LogFactory.getLog(BrowserCondition.class);

	@Override
	public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
		if (Browser.isPresent()) {
			return ConditionEvaluationResult.enabled("A browser is installed");
		}
		String reason = "LEFT OUT: " + context.getDisplayName()
				+ ". Neither Chromium with its driver nor Chrome is installed: apt-get install chromium chromium-driver";
		logger.warn(reason);
		return ConditionEvaluationResult.disabled(reason);
	}

}
