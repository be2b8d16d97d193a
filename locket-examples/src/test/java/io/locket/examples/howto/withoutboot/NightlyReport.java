package io.locket.examples.howto.withoutboot;

import java.time.Duration;

import io.locket.lease.Lease;
import io.locket.lease.redis.RedisLeases;

import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/**
 * A main class that holds a lease without Spring Boot.
 */
public final class NightlyReport {

	private NightlyReport() {
	}

	public static void main(String... args) {
		LettuceConnectionFactory connections = new LettuceConnectionFactory(
				new RedisStandaloneConfiguration(args[0], Integer.parseInt(args[1])),
				LettuceClientConfiguration.builder().commandTimeout(Duration.ofSeconds(2)).build());
		connections.afterPropertiesSet();
		connections.start();
		try (RedisLeases leases = RedisLeases.builder(connections, "billing").build()) {
			leases.service().tryAcquire("nightly", "report").ifPresent((lease) -> {
				try (lease) {
					write(lease);
				}
			});
		}
		finally {
			connections.destroy();
		}
	}

	private static void write(Lease lease) {
		System.out.println("Report written with fencing token " + lease.fencingToken());
	}

}
