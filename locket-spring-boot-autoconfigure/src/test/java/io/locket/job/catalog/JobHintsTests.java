package io.locket.job.catalog;

import java.util.List;

import io.locket.UniqueJob;
import org.junit.jupiter.api.Test;

import org.springframework.aot.generate.ClassNameGenerator;
import org.springframework.aot.generate.DefaultGenerationContext;
import org.springframework.aot.generate.InMemoryGeneratedFiles;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.predicate.RuntimeHintsPredicates;
import org.springframework.context.aot.ApplicationContextAotGenerator;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.javapoet.ClassName;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for the ahead-of-time hints for jobs.
 */
class JobHintsTests {

	@Test
	void jobsOfBeansHaveHints() {
		RuntimeHints hints = process(BillingService.class);
		assertThat(RuntimeHintsPredicates.proxies().forInterfaces(Billing.class)).accepts(hints);
		assertThat(RuntimeHintsPredicates.proxies().forInterfaces(Other.class)).rejects(hints);
		assertThat(RuntimeHintsPredicates.reflection().onMethodInvocation(BillingService.class, "bill")).accepts(hints);
		assertThat(RuntimeHintsPredicates.reflection().onType(Bill.class)).accepts(hints);
		assertThat(RuntimeHintsPredicates.reflection().onType(Line.class)).accepts(hints);
	}

	@Test
	void beanWithoutJobsHasNone() {
		RuntimeHints hints = process(Plain.class);
		assertThat(RuntimeHintsPredicates.proxies().forInterfaces(Other.class)).rejects(hints);
		assertThat(RuntimeHintsPredicates.reflection().onMethodInvocation(Plain.class, "other")).rejects(hints);
	}

	private static RuntimeHints process(Class<?> bean) {
		DefaultGenerationContext generation = new DefaultGenerationContext(
				new ClassNameGenerator(ClassName.get("io.locket.test", "Application")), new InMemoryGeneratedFiles());
		try (GenericApplicationContext context = new GenericApplicationContext()) {
			context.registerBean(bean);
			new ApplicationContextAotGenerator().processAheadOfTime(context, generation);
		}
		return generation.getRuntimeHints();
	}

	record Line(String text) {

	}

	record Bill(int id, List<Line> lines) {

	}

	interface Billing {

		@UniqueJob(name = "billing.bill")
		void bill(Bill bill);

	}

	interface Other {

		void other();

	}

	static class BillingService implements Billing, Other {

		@Override
		public void bill(Bill bill) {
		}

		@Override
		public void other() {
		}

	}

	static class Plain implements Other {

		@Override
		public void other() {
		}

	}

}
