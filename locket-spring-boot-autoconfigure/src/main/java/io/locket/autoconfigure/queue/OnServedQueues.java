package io.locket.autoconfigure.queue;

import java.util.List;
import java.util.Map;

import org.springframework.boot.autoconfigure.condition.ConditionMessage;
import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.autoconfigure.condition.SpringBootCondition;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.core.type.AnnotatedTypeMetadata;

/**
 * Condition that matches if queues are configured for the workers of this process.
 */
class OnServedQueues extends SpringBootCondition {

	@Override
	public ConditionOutcome getMatchOutcome(ConditionContext context, AnnotatedTypeMetadata metadata) {
		Binder binder = Binder.get(context.getEnvironment());
		List<String> queues = binder.bind("locket.worker.queues", Bindable.listOf(String.class)).orElse(List.of());
		Map<String, Object> groups = binder.bind("locket.worker.groups", Bindable.mapOf(String.class, Object.class))
			.orElse(Map.of());
		ConditionMessage.Builder message = ConditionMessage.forCondition("Served queues");
		return (queues.isEmpty() && groups.isEmpty())
				? ConditionOutcome.noMatch(message.because("neither locket.worker.queues nor a group is configured"))
				: ConditionOutcome.match(message.foundExactly("queues for the workers of this process"));
	}

}
