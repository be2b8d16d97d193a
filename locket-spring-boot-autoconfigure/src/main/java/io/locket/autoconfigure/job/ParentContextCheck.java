package io.locket.autoconfigure.job;

import io.locket.autoconfigure.diagnostics.PropertyProblems;
import io.locket.job.catalog.UniqueJobCatalog;

import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;

/**
 * Check that no parent context has Locket, too. Otherwise both contexts would serve the
 * same queues, each with its own jobs only, and return the jobs of the other one. It runs
 * before any bean is created.
 */
final class ParentContextCheck implements BeanFactoryPostProcessor {

	@Override
	public void postProcessBeanFactory(ConfigurableListableBeanFactory beanFactory) {
		BeanFactory parent = beanFactory.getParentBeanFactory();
		if (!(parent instanceof ListableBeanFactory beans) || BeanFactoryUtils.beanNamesForTypeIncludingAncestors(beans,
				UniqueJobCatalog.class, true, false).length == 0) {
			return;
		}
		PropertyProblems problems = new PropertyProblems();
		problems.addMissing("locket.enabled", "is true in this context, whose parent context has Locket, too.",
				"Declare all @UniqueJob methods and schedules in one of the contexts. Set locket.enabled=false for this"
						+ " one, whose own @UniqueJob methods are not guarded then, or leave @EnableAutoConfiguration out"
						+ " of one of them.");
		problems.throwIfAny();
	}

}
