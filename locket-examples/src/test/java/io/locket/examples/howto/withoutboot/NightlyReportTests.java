package io.locket.examples.howto.withoutboot;

import java.time.Duration;

import io.locket.examples.Examples;
import io.locket.lease.Lease;
import io.locket.lease.redis.RedisLeases;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link NightlyReport}.
 */
@ExtendWith(OutputCaptureExtension.class)
class NightlyReportTests {

	@Test
	void reportIsWrittenUnlessAnotherProcessHoldsTheLease(CapturedOutput output) {
		LettuceConnectionFactory connections = new LettuceConnectionFactory("127.0.0.1", Examples.redisPort());
		connections.afterPropertiesSet();
		connections.start();
		try (RedisLeases other = RedisLeases.builder(connections, "billing").duration(Duration.ofSeconds(35)).build()) {
			Lease held = other.service().tryAcquire("nightly", "report").orElseThrow();
			NightlyReport.main("127.0.0.1", Integer.toString(Examples.redisPort()));
			assertThat(output).doesNotContain("Report written");
			held.close();
			NightlyReport.main("127.0.0.1", Integer.toString(Examples.redisPort()));
			assertThat(output).contains("Report written with fencing token");
		}
		finally {
			connections.destroy();
		}
	}

}
