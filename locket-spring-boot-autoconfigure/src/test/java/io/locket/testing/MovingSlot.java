package io.locket.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.awaitility.Awaitility;

/**
 * Slot of a cluster that moves from one master to another in steps, as with
 * {@code redis-cli --cluster reshard}. Not thread-safe.
 */
public final class MovingSlot {

	/**
	 * Script that returns the content and the expiry of keys. The keys are not declared,
	 * because no node has all of them.
	 */
	private static final String CONTENT = """
			local function content(key)
			  if redis.call('TYPE', key).ok ~= 'hash' then
			    return redis.call('DUMP', key)
			  end
			  -- Redis rehashes a growing hash even on reads.
			  local all, fields = redis.call('HGETALL', key), {}
			  for i = 1, #all, 2 do
			    fields[#fields + 1] = all[i] .. '=' .. all[i + 1]
			  end
			  table.sort(fields)
			  return table.concat(fields, ' ')
			end

			local function now()
			  local time = redis.call('TIME')
			  return time[1] * 1000 + math.floor(time[2] / 1000)
			end

			-- On a busy machine, time passes between two calls.
			local function expiry(key)
			  local before, ttl
			  repeat
			    before, ttl = now(), redis.call('PTTL', key)
			  until now() == before
			  return ttl < 0 and -1 or before + ttl
			end

			local found = {}
			for i, key in ipairs(ARGV) do
			  found[2 * i - 1], found[2 * i] = redis.sha1hex(content(key)), expiry(key)
			end
			return found
			""";

	private static final Duration AGREEMENT_TIMEOUT = Duration.ofSeconds(30);

	private static final String ALL = "1000000";

	private final List<RedisServer> masters;

	private final String slot;

	private RedisServer source;

	private RedisServer target;

	public MovingSlot(List<RedisServer> masters, int slot, int source, int target) {
		this.masters = masters;
		this.slot = Integer.toString(slot);
		this.source = masters.get(source);
		this.target = masters.get(target);
	}

	/**
	 * Starts the move. From now on two masters serve the slot.
	 */
	public void open() {
		awaitSameEpochs();
		set(this.target, "IMPORTING", this.source);
		set(this.source, "MIGRATING", this.target);
	}

	/**
	 * Waits until all masters know the same configuration epochs, so that the target
	 * takes the slot with the highest one. With a lower one, a message that the source
	 * has sent before would return the slot to the source. Each master would then
	 * redirect to the other.
	 */
	private void awaitSameEpochs() {
		Awaitility.await()
			.atMost(AGREEMENT_TIMEOUT)
			.pollInterval(Duration.ofMillis(20))
			.until(() -> this.masters.stream().map(MovingSlot::epochs).distinct().count() == 1);
	}

	/**
	 * Returns the configuration epochs that a master knows.
	 * @param master the master
	 * @return the epoch of each node, by its id
	 */
	static Map<String, Long> epochs(RedisServer master) {
		return master.execute("CLUSTER", "NODES")
			.toString()
			.lines()
			.map((line) -> line.split(" "))
			.collect(Collectors.toMap((node) -> node[0], (node) -> Long.valueOf(node[6])));
	}

	private void set(RedisServer at, String state, RedisServer other) {
		at.execute("CLUSTER", "SETSLOT", this.slot, state, other.execute("CLUSTER", "MYID").toString());
	}

	/**
	 * Returns the keys that have not moved yet.
	 * @return the keys
	 */
	public List<String> left() {
		return keys(this.source);
	}

	private List<String> keys(RedisServer at) {
		return ((List<?>) at.execute("CLUSTER", "GETKEYSINSLOT", this.slot, ALL)).stream()
			.map(Object::toString)
			.sorted()
			.toList();
	}

	/**
	 * Moves some keys with one command.
	 * @param keys the keys; missing ones are ignored
	 */
	public void move(Collection<String> keys) {
		if (!keys.isEmpty()) {
			this.source
				.execute(Stream
					.concat(Stream.of("MIGRATE", this.target.host(), Integer.toString(this.target.port()), "", "0",
							"20000", "KEYS"), keys.stream())
					.toArray(String[]::new));
		}
	}

	/**
	 * Moves the remaining keys and assigns the slot to the other master. The next move
	 * goes back.
	 */
	public void finish() {
		for (List<String> left = left(); !left.isEmpty(); left = left()) {
			move(left);
		}
		List<RedisServer> others = new ArrayList<>(this.masters);
		others.remove(this.target);
		set(this.target, "NODE", this.target);
		others.forEach((master) -> set(master, "NODE", this.target));
		RedisServer from = this.source;
		this.source = this.target;
		this.target = from;
	}

	/**
	 * Returns the content of the slot on both masters.
	 * @return for each key of a master the digest of its value, and its expiry in ms or
	 * -1
	 */
	public Map<String, Entry> content() {
		Map<String, Entry> content = new TreeMap<>();
		for (RedisServer master : List.of(this.source, this.target)) {
			try (RespConnection connection = master.connect()) {
				List<String> keys = keys(master);
				connection.execute("ASKING");
				List<?> found = (List<?>) connection
					.execute(Stream.concat(Stream.of("EVAL", CONTENT, "0"), keys.stream()).toArray(String[]::new));
				for (int i = 0; i < keys.size(); i++) {
					content.put(master.port() + " " + keys.get(i),
							new Entry(found.get(2 * i).toString(), (Long) found.get(2 * i + 1)));
				}
			}
			catch (IOException ex) {
				throw new UncheckedIOException(ex);
			}
		}
		return content;
	}

	/**
	 * The content of a key.
	 *
	 * @param digest the digest of the value
	 * @param expiry the expiry in ms with a small tolerance, or -1
	 */
	public record Entry(String digest, long expiry) {

		private static final int TOLERANCE = 10;

		/**
		 * Returns whether this content equals another one.
		 * @param other the other one
		 * @return whether value and expiry are equal
		 */
		public boolean isSame(Entry other) {
			return this.digest.equals(other.digest) && Math.abs(this.expiry - other.expiry) <= TOLERANCE;
		}

	}

}
