package io.locket.queue.redis.turn;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * Encoder of turns for {@code turn.lua}, which describes its arguments.
 */
public final class TurnFormat {

	private final String settings;

	private final PlainEnds ends;

	/**
	 * Creates a format.
	 * @param settings the settings of the script
	 * @param registryKey the registry key of the locks
	 */
	public TurnFormat(String settings, String registryKey) {
		this.settings = Objects.requireNonNull(settings, "'settings' must not be null");
		this.ends = new PlainEnds(Objects.requireNonNull(registryKey, "'registryKey' must not be null"));
	}

	/**
	 * Returns the arguments of some turns that fit each other.
	 * @param turns the turns
	 * @return the arguments after those that every script has
	 */
	public List<Object> arguments(List<PlainTurn> turns) {
		List<Object> arguments = new ArrayList<>();
		arguments.add(this.settings);
		arguments.add(RequestFormat.encode(turns));
		this.ends.add(turns, arguments);
		return arguments;
	}

}
