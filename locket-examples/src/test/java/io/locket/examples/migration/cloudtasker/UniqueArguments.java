package io.locket.examples.migration.cloudtasker;

import io.locket.LockStrategy;
import io.locket.UniqueJob;

import org.springframework.stereotype.Component;

@Component
public class UniqueArguments {

	@UniqueJob(lock = LockStrategy.UNTIL_EXECUTED, key = "{#arg1, #arg2}")
	public void firstTwo(String arg1, String arg2, long arg3) {
	}

	@UniqueJob(lock = LockStrategy.UNTIL_EXECUTED, key = "{#arg1, #arg2, #someInt % 5}")
	public void modulo(String arg1, String arg2, int someInt) {
	}

	@UniqueJob(lock = LockStrategy.UNTIL_EXECUTING, uniqueFor = "30s")
	public void realtime(String arg1, String arg2) {
	}

}
