package io.locket.queue.redis.turn;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

import io.locket.queue.spi.ReservationRequest;
import org.jspecify.annotations.Nullable;

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
	 * @param reservation the reservation of all turns, or {@code null} for none
	 * @return the arguments after those that every script has
	 */
	public List<Object> arguments(List<PlainTurn> turns, @Nullable ReservationRequest reservation) {
		List<Object> arguments = new ArrayList<>();
		arguments.add(this.settings);
		arguments.add(RequestFormat.encode(turns, reservation));
		this.ends.add(turns, arguments);
		return arguments;
	}

}
