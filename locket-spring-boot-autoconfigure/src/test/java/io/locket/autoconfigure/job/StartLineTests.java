package io.locket.autoconfigure.job;

import io.locket.aop.TestLeaseService;
import io.locket.autoconfigure.lease.LeaseAutoConfiguration;
import io.locket.autoconfigure.queue.QueueAutoConfiguration;
import io.locket.testing.ReadyEvents;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.aot.generate.ClassNameGenerator;
import org.springframework.aot.generate.DefaultGenerationContext;
import org.springframework.aot.generate.GeneratedFiles.Kind;
import org.springframework.aot.generate.InMemoryGeneratedFiles;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.aot.ApplicationContextAotGenerator;
import org.springframework.javapoet.ClassName;
import org.springframework.util.ClassUtils;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link StartLine}, whose text is tested with the connections that it names.
 */
@ExtendWith(OutputCaptureExtension.class)
class StartLineTests {

	@Test
	void lineIsLoggedOnceInAnApplicationWithAChildContext(CapturedOutput output) {
		new ApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(LeaseAutoConfiguration.class, UniqueJobAutoConfiguration.class))
			.withBean(TestLeaseService.class)
			.withPropertyValues("locket.namespace=shop")
			.run((parent) -> new ApplicationContextRunner().withParent(parent).run((child) -> {
				ReadyEvents.publish(parent);
				ReadyEvents.publish(child);
			}));
		assertThat(output).containsOnlyOnce(": namespace 'shop', no Redis");
	}

	@Test
	void versionIsThatOfAPackageWithoutClassesOfTheApplicationWhenProcessedAheadOfTime() {
		InMemoryGeneratedFiles files = new InMemoryGeneratedFiles();
		DefaultGenerationContext generation = new DefaultGenerationContext(
				new ClassNameGenerator(ClassName.get("com.example", "Application")), files);
		try (AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext()) {
			context.register(LeaseAutoConfiguration.class, UniqueJobAutoConfiguration.class,
					QueueAutoConfiguration.class);
			new ApplicationContextAotGenerator().processAheadOfTime(context, generation);
		}
		generation.writeGeneratedContent();
		assertThat(files.getGeneratedFiles(Kind.SOURCE)).isNotEmpty()
			.allSatisfy((path, source) -> assertThat(path)
				.doesNotStartWith(ClassUtils.classPackageAsResourcePath(StartLine.VERSIONED) + "/"));
	}

}
