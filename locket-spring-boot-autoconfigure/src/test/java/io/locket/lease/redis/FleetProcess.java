package io.locket.lease.redis;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Scanner;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;

import io.locket.lease.Lease;
import io.locket.lease.LeaseRequest;

import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.integration.redis.util.RedisLockRegistry;

/**
 * Another process of the fleet, controlled by its standard input.
 */
final class FleetProcess {

	private final LeaseFixture fixture;

	private final RedisLockRegistry registry;

	private final Map<String, Lease> leases = new HashMap<>();

	private FleetProcess(String host, int port, String namespace, LeaseFixture.Settings settings) {
		this.fixture = LeaseFixture.create(host, port, namespace, settings);
		LettuceConnectionFactory plain = LeaseFixture.connectionFactory(host, port, Duration.ofSeconds(5));
		this.registry = new RedisLockRegistry(plain, this.fixture.keys.registryKey(), Duration.ofSeconds(30));
		this.registry.setExecutor(Runnable::run);
	}

	static String[] arguments(io.locket.testing.RedisServer server, String namespace, LeaseFixture.Settings settings) {
		return new String[] { server.host(), Integer.toString(server.port()), namespace, settings.duration().toString(),
				settings.heartbeat().toString(), settings.commandTimeout().toString() };
	}

	static void main(String[] args) throws Exception {
		FleetProcess process = new FleetProcess(args[0], Integer.parseInt(args[1]), args[2],
				new LeaseFixture.Settings(Duration.parse(args[3]), Duration.parse(args[4]), Duration.parse(args[5])));
		System.out.println("ready");
		Scanner lines = new Scanner(System.in);
		while (lines.hasNextLine()) {
			String[] words = lines.nextLine().split(" ");
			System.out.println(process.run(words));
		}
		System.exit(0);
	}

	private String run(String[] words) throws Exception {
		String name = words[1];
		return switch (words[0]) {
			case "acquire" -> acquire(name);
			case "release" -> release(name);
			case "state" -> "state " + this.leases.get(name).isHeld() + " " + this.leases.get(name).lossCause();
			case "lock" -> "lock " + lock(name).tryLock(0, TimeUnit.MILLISECONDS);
			case "unlock" -> unlock(name);
			case "add" -> add(name, Integer.parseInt(words[2]), Integer.parseInt(words[3]));
			default -> "unknown " + words[0];
		};
	}

	private String acquire(String name) {
		return this.fixture.service.tryAcquire("job", name).map((lease) -> {
			this.leases.put(name, lease);
			return "acquire true " + lease.fencingToken();
		}).orElse("acquire false");
	}

	private String release(String name) {
		Lease lease = this.leases.remove(name);
		lease.close();
		return "release " + lease.lossCause();
	}

	private Lock lock(String name) {
		return this.registry.obtain(this.fixture.key(name).digest());
	}

	private String unlock(String name) {
		lock(name).unlock();
		return "unlock true";
	}

	/**
	 * Adds to a number in Redis by reading, sleeping and writing.
	 */
	private String add(String name, int threads, int rounds) throws InterruptedException {
		List<Thread> adders = new ArrayList<>();
		for (int i = 0; i < threads; i++) {
			adders.add(new Thread(() -> addRounds(this.fixture, name, rounds)));
		}
		adders.forEach(Thread::start);
		for (Thread adder : adders) {
			adder.join();
		}
		return "add done";
	}

	static void addRounds(LeaseFixture fixture, String name, int rounds) {
		for (int i = 0; i < rounds; i++) {
			try (Lease lease = fixture.service
				.tryAcquire(LeaseRequest.of(fixture.key(name)).waiting(Duration.ofMinutes(2)))
				.orElseThrow()) {
				String number = "{" + fixture.keys.namespace() + "}:number";
				int value = Integer.parseInt(fixture.redis.opsForValue().get(number));
				sleep(i % 3);
				fixture.redis.opsForValue().set(number, Integer.toString(value + 1));
				lease.ensureHeld();
			}
		}
	}

	private static void sleep(long millis) {
		try {
			TimeUnit.MILLISECONDS.sleep(millis);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

}
