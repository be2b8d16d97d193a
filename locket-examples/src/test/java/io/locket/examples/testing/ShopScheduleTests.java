package io.locket.examples.testing;

import java.time.Duration;
import java.time.YearMonth;
import java.time.ZoneId;

import io.locket.job.JobRequest;
import io.locket.schedule.ScheduleRequest;
import io.locket.schedule.Schedules;
import io.locket.test.LocketTester;
import io.locket.test.autoconfigure.AutoConfigureLocketTest;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.test.context.bean.override.mockito.MockitoBean;

import static org.assertj.core.api.Assertions.assertThat;

@SpringBootTest
@AutoConfigureLocketTest
class ShopScheduleTests {

	private static final YearMonth MAY = YearMonth.of(2026, 5);

	@Autowired
	private Schedules schedules;

	@Autowired
	private LocketTester locket;

	@MockitoBean
	private Printer printer;

	@Test
	void customerIsBilledEachMorning() {
		this.schedules.put(ScheduleRequest.cron("billing", "0 0 6 * * *", JobRequest.of("billing.bill", 42, MAY))
			.zone(ZoneId.of("Europe/Berlin")));
		this.locket.advanceAndFire(Duration.ofDays(1));
		assertThat(this.locket.drain()).hasRun("billing.bill");
	}

}
