package io.locket.redis;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.locket.autoconfigure.lease.LeaseAutoConfiguration;
import io.locket.lease.Lease;
import io.locket.lease.LeaseService;
import io.locket.testing.MovingSlot;
import io.locket.testing.RedisCluster;
import io.locket.testing.RedisServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.data.redis.core.StringRedisTemplate;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link PermissionCheck}, which reports exactly the missing permissions.
 */
@ExtendWith(OutputCaptureExtension.class)
class PermissionCheckTests {

	/**
	 * Commands that the driver sends on a new connection. Without them it fails or skips
	 * them.
	 */
	private static final Set<String> OF_THE_DRIVER = Set.of("+hello", "+auth", "+select", "+client|setname");

	RedisServer startServer() {
		return RedisServer.start();
	}

	@Test
	void everyMissingPermissionIsNamed(CapturedOutput output) {
		try (RedisServer server = startServer()) {
			server.execute(documented());
			asUser(server).run((context) -> {
				PermissionCheck check = context.getBean(PermissionCheck.class);
				assertThat(check.run()).isTrue();
				assertThat(check.missing()).isEmpty();
				assertThat(output).doesNotContain("lacks permissions");
				List<String> permissions = Stream.of(documented())
					.filter((word) -> word.startsWith("+") && !OF_THE_DRIVER.contains(word))
					.toList();
				assertThat(permissions).hasSizeGreaterThan(30);
				for (String permission : permissions) {
					server.execute("ACL", "SETUSER", "app", "-" + permission.substring(1));
					check.run();
					assertThat(check.missing()).as("what is missing without " + permission).contains(permission);
					server.execute("ACL", "SETUSER", "app", permission);
				}
				check.run();
				assertThat(check.missing()).isEmpty();
				assertThat(server.execute("EXISTS", "{locket}:permissions")).isEqualTo(0L);
			});
		}
	}

	@Test
	void missingChannelsAndKeysAreNamedOnceAndMessagesAreMissedAlone(CapturedOutput output) {
		try (RedisServer server = startServer()) {
			server.execute(documented());
			server.execute("ACL", "SETUSER", "app", "resetchannels");
			asUser(server).run((context) -> {
				PermissionCheck check = context.getBean(PermissionCheck.class);
				check.run();
				check.run();
				assertThat(check.missing()).containsExactly("&{locket}:lease-channel:*", "&{locket}:work");
				assertThat(output.getOut().split("The user of Redis lacks permissions", -1)).hasSize(2);
				LeaseService leases = context.getBean(LeaseService.class);
				Lease lease = leases.tryAcquire("report").orElseThrow();
				lease.close();
				assertThat(leases.isAvailable(lease.key())).isTrue();
				assertThat(output).doesNotContain("did not reply");
				server.execute("ACL", "SETUSER", "app", "resetkeys", "~other");
				check.run();
				assertThat(check.missing()).contains("~{locket}:*");
			});
		}
	}

	@Test
	void documentedPermissionsSufficeOnACluster() {
		try (RedisCluster cluster = RedisCluster.start()) {
			for (RedisServer master : cluster.masters()) {
				documentedLines().forEach((line) -> master.execute(line.split(" ")));
			}
			String nodes = cluster.masters()
				.stream()
				.map((master) -> master.host() + ":" + master.port())
				.collect(Collectors.joining(","));
			runner()
				.withPropertyValues("spring.data.redis.cluster.nodes=" + nodes, "spring.data.redis.username=app",
						"spring.data.redis.password=secret", "locket.namespace=locket")
				.run((context) -> {
					LeaseService leases = context.getBean(LeaseService.class);
					leases.tryAcquire("report").orElseThrow().close();
					PermissionCheck check = context.getBean(PermissionCheck.class);
					assertThat(check.run()).isTrue();
					assertThat(check.missing()).isEmpty();
					MovingSlot slot = cluster.slotOf("{locket}:fence");
					slot.open();
					slot.move(List.of("{locket}:fence"));
					StringRedisTemplate redis = new StringRedisTemplate(
							context.getBean(RedisConnections.class).shared());
					assertThat(redis.opsForValue().get("{locket}:fence")).as("read while its slot moves").isNotNull();
					slot.finish();
				});
		}
	}

	@ParameterizedTest
	@CsvSource({ "NOPERM this user has no permissions to access one of the keys used as arguments, true",
			"NOPERM No permissions to access a key, true", "NOPERM No permissions to access a channel, true",
			"NOPERM this user has no permissions to access one of the channels used as arguments, true",
			"NOPERM User app has no permissions to run the 'hkeys' command, false",
			"NOPERM this user has no permissions to run the 'keys' command or its subcommand, false" })
	void errorAboutAKeyOrAChannelIsDistinguishedFromThatAboutACommand(String error, boolean ofResource) {
		assertThat(PermissionCheck.isOfResource(error)).isEqualTo(ofResource);
	}

	@Test
	void permissionsForARegistryKeyWithSpecialCharactersSuffice() {
		try (RedisServer server = startServer()) {
			server.execute("ACL", "SETUSER", "app", "on", ">secret", "+@all", "resetkeys", "resetchannels");
			asUser(server).withPropertyValues("locket.lease.registry-key=a[b]*").run((context) -> {
				PermissionCheck check = context.getBean(PermissionCheck.class);
				check.run();
				assertThat(check.missing()).containsExactly("&a\\[b\\]\\*-channel:*", "&{locket}:work",
						"~a\\[b\\]\\*:*", "~{locket}:*");
				check.missing().forEach((permission) -> server.execute("ACL", "SETUSER", "app", permission));
				check.run();
				assertThat(check.missing()).isEmpty();
				LeaseService leases = context.getBean(LeaseService.class);
				leases.tryAcquire("report").orElseThrow().close();
			});
		}
	}

	private static ApplicationContextRunner asUser(RedisServer server) {
		return runner().withPropertyValues(server.properties())
			.withPropertyValues("spring.data.redis.username=app", "spring.data.redis.password=secret",
					"locket.namespace=locket");
	}

	private static ApplicationContextRunner runner() {
		return new ApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(DataRedisAutoConfiguration.class, LeaseAutoConfiguration.class));
	}

	private static String[] documented() {
		return documentedLines().get(0).split(" ");
	}

	/**
	 * Returns the commands of the documentation. The second one is for a cluster.
	 */
	private static List<String> documentedLines() {
		try (Stream<String> lines = Files.lines(Path.of("../docs/configuration.md"))) {
			List<String> found = lines.filter((line) -> line.startsWith("ACL SETUSER")).toList();
			assertThat(found).hasSize(2);
			return found;
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
