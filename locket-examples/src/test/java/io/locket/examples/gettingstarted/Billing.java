package io.locket.examples.gettingstarted;

import java.time.YearMonth;

import io.locket.UniqueJob;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

import org.springframework.stereotype.Service;

@Service
public class Billing {

	private static final Log logger = LogFactory.getLog(Billing.class);

	@UniqueJob
	public void bill(long customerId, YearMonth period) {
		logger.info("Billing customer " + customerId + " for " + period);
	}

}
