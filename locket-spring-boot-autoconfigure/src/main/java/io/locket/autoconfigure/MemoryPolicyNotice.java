package io.locket.autoconfigure;

import java.util.concurrent.Executor;

import io.locket.queue.redis.MemoryPolicyCheck;

import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.context.ApplicationListener;

/**
 * Has the memory policy of Redis checked once the application is ready, which does not
 * wait for it.
 */
final class MemoryPolicyNotice implements ApplicationListener<ApplicationReadyEvent> {

	private final MemoryPolicyCheck check;

	private final Executor executor;

	MemoryPolicyNotice(MemoryPolicyCheck check, Executor executor) {
		this.check = check;
		this.executor = executor;
	}

	@Override
	public void onApplicationEvent(ApplicationReadyEvent event) {
		this.executor.execute(this.check::run);
	}

}
