package io.locket.schedule.firing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;

import io.locket.queue.redis.QueueExtension;
import io.locket.schedule.Firing;
import io.locket.schedule.FiringResult;
import io.locket.schedule.ScheduleHarness;
import io.locket.schedule.ScheduleSnapshot;
import io.locket.schedule.ScheduleStore;
import io.locket.schedule.ScheduleStoreUnderTest;
import io.locket.schedule.firing.FiringPlan.MisfireRules;
import org.mockito.BDDMockito;
import org.mockito.Mockito;

import org.springframework.core.io.ByteArrayResource;
import org.springframework.core.io.Resource;

/**
 * Scripts and leaders with one fault each.
 */
enum PlantedFault {

	FIRED_BY_WHOEVER_ASKS("fire", "if not holds_lease(digest, token) then", "if false then"),

	LEASE_NOT_RENEWED("fire", "extend(lock_name(digest), duration)", ""),

	FIRED_EARLY("fire", "firing.time > now", "firing.time > now + 2000"),

	FIRED_AGAIN("fire", "firing.time == schedule.lf", "false"),

	FIRED_AFTER_A_LATER_TIME("fire", "or firing.time < (schedule.lf or 0)", ""),

	FIRED_FOR_A_TIME_BEFORE_THE_CHANGE("fire", "firing.time <= schedule.f or", ""),

	FIRED_AS_IT_WAS("fire", "schedule.r ~= firing.revision or", ""),

	FIRED_AFTER_A_FIRING_THAT_WAS_LOST("fire", "firing.known > (schedule.lf or 0)", "false"),

	FIRED_THOUGH_PAUSED("fire", "or schedule.p == 1", ""),

	FIRED_THOUGH_DISABLED("fire", "schedule.of == 1 or", ""),

	FIRED_AFTER_THE_END_OF_ITS_PROCESS("fire", "if not schedule or has_ended(schedule) then", "if not schedule then"),

	TIME_NOT_RECORDED("fire", "schedule.lf = firing.time", ""),

	LAST_FIRING_FORGOTTEN_BY_A_CHANGE("change", "new.lf, new.la = old.s, old.p, old.lf, old.la",
			"new.lf, new.la = old.s, old.p, nil, nil"),

	PAUSE_FORGOTTEN_BY_A_CHANGE("change", "new.s, new.p,", "new.s, new.q,"),

	MISSED_BEFORE_A_CHANGE_AND_FORGOTTEN("change", "if not begins_anew(old, new) then", "if false then"),

	MISSED_BEFORE_ITS_TIMES_CHANGED_AND_MADE_UP_FOR("change", "if not begins_anew(old, new) then", "if true then"),

	MISSED_WHILE_PAUSED_AND_MADE_UP_FOR("change", "      schedule.p = nil\n      schedule.f = now",
			"      schedule.p = nil"),

	PAUSE_FORGOTTEN_BY_THE_END("change", "and end_configured or delete", "and delete or delete"),

	FIRED_AFTER_THE_END_OF_ITS_CONFIGURATION("book", "schedule.o == 'c' and schedule.en ~= nil", "false"),

	MISSED_BEFORE_ITS_RETURN_AND_FORGOTTEN("change", "local has_lost_process = old.o == 't' and has_ended(old)",
			"local has_lost_process = has_ended(old)"),

	OTHERS_REMOVED("change", "schedule.o == origin and", "true and"),

	FIRING_WITHOUT_REPLY_TAKEN_FOR_FIRED {
		@Override
		HandLeader leader(ScheduleStore store, HandLeader.Sender sender) {
			return new HandLeader(store, sender) {
				@Override
				void onNoReply(List<Firing> firings) {
					firings.forEach(this::settle);
				}
			};
		}
	},

	EARLY_FIRING_TAKEN_FOR_FIRED {
		@Override
		HandLeader leader(ScheduleStore store, HandLeader.Sender sender) {
			return new HandLeader(store, sender) {
				@Override
				void onResult(Firing firing, FiringResult result) {
					if (result == FiringResult.Refused.EARLY) {
						settle(firing);
					}
					else {
						super.onResult(firing, result);
					}
				}
			};
		}
	},

	MISSED_BEFORE_THE_ELECTION_AND_FORGOTTEN {
		@Override
		HandLeader leader(ScheduleStore store, HandLeader.Sender sender) {
			return new HandLeader(store, sender) {
				@Override
				void onLoad(ScheduleSnapshot snapshot) {
					snapshot.schedules().forEach((schedule) -> settle(schedule.name(), snapshot.time()));
				}
			};
		}
	},

	MISSED_TOO_SOON {
		@Override
		HandLeader leader(ScheduleStore store, HandLeader.Sender sender) {
			return new HandLeader(store, sender) {
				@Override
				MisfireRules rules() {
					return new MisfireRules(RULES.misfireAfter().minusMillis(500), RULES.catchUp());
				}
			};
		}
	};

	private final String script;

	private final String code;

	private final String faulty;

	PlantedFault() {
		this("", "", "");
	}

	PlantedFault(String script, String code, String faulty) {
		this.script = script;
		this.code = code;
		this.faulty = faulty;
	}

	HandLeader leader(ScheduleStore store, HandLeader.Sender sender) {
		return new HandLeader(store, sender);
	}

	/**
	 * Returns a store with the fault.
	 */
	ScheduleHarness create() {
		return this.script.isEmpty() ? ScheduleStoreUnderTest.MEMORY.create()
				: ScheduleStoreUnderTest.inRedis(this::plant);
	}

	private QueueExtension plant(QueueExtension extension) {
		QueueExtension spied = Mockito.spy(extension);
		BDDMockito.willAnswer((call) -> extension.script(Arrays.stream(call.getRawArguments())
			.map(Resource[].class::cast)
			.flatMap(Arrays::stream)
			.map(this::plant)
			.toArray(Resource[]::new))).given(spied).script(BDDMockito.any(Resource[].class));
		return spied;
	}

	private Resource plant(Resource part) {
		if (!Objects.equals(part.getFilename(), this.script + ".lua")) {
			return part;
		}
		try {
			String text = part.getContentAsString(StandardCharsets.UTF_8);
			if (!text.contains(this.code)) {
				throw new IllegalStateException("There is no '" + this.code + "' in " + part);
			}
			return new ByteArrayResource(text.replace(this.code, this.faulty).getBytes(StandardCharsets.UTF_8));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
