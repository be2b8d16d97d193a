package io.locket.key;

import java.lang.reflect.Method;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

import io.locket.JobKeyException;
import org.jspecify.annotations.Nullable;

import org.springframework.expression.EvaluationContext;
import org.springframework.expression.spel.SpelCompilerMode;
import org.springframework.expression.spel.SpelEvaluationException;
import org.springframework.expression.spel.SpelParserConfiguration;
import org.springframework.expression.spel.standard.SpelExpression;
import org.springframework.expression.spel.standard.SpelExpressionParser;
import org.springframework.expression.spel.support.StandardEvaluationContext;
import org.springframework.expression.spel.support.StandardTypeLocator;

/**
 * Generator of key values by a SpEL expression over the arguments. Arguments are
 * available by name, and by position as {@code #p0} or {@code #a0}; {@code #queue} is the
 * queue, unless a parameter has that name. The expression is parsed and checked once, by
 * the constructor, and evaluated once for each call. Thread-safe.
 */
public final class ExpressionKeyGenerator implements JobKeyGenerator {

	private static final String QUEUE = "queue";

	private final String job;

	private final String text;

	private final SpelExpression expression;

	private final ParameterNames names;

	private final StandardEvaluationContext delegates = new StandardEvaluationContext();

	/**
	 * Creates a generator.
	 * @param job the name of the job, for messages
	 * @param method the job method
	 * @param expression the expression, with its placeholders resolved
	 * @throws JobKeyException if the expression does not parse, or uses a variable that
	 * does not exist
	 */
	public ExpressionKeyGenerator(String job, Method method, String expression) {
		this.job = job;
		this.text = expression;
		this.names = ParameterNames.of(method);
		this.expression = parse();
		ExpressionCheck.check(job, expression, this.expression.getAST(), knownVariables(method), this.names.areKnown());
		this.delegates.setTypeLocator(new StandardTypeLocator(method.getDeclaringClass().getClassLoader()));
	}

	private SpelExpression parse() {
		try {
			return new SpelExpressionParser(new SpelParserConfiguration(SpelCompilerMode.OFF, null))
				.parseRaw(this.text);
		}
		catch (RuntimeException ex) {
			throw new JobKeyException("The " + this + " does not parse: " + ex.getMessage()
					+ ". Write SpEL over the parameters, such as '#id' or '{#customerId, #period}'", ex);
		}
	}

	private Set<String> knownVariables(Method method) {
		Set<String> known = new LinkedHashSet<>();
		for (int i = 0; i < method.getParameterCount(); i++) {
			String name = this.names.get(i);
			if (name != null) {
				known.add(name);
			}
		}
		for (int i = 0; i < method.getParameterCount(); i++) {
			known.add("p" + i);
			known.add("a" + i);
		}
		known.add(QUEUE);
		return known;
	}

	@Override
	public @Nullable Object generate(JobCall call) {
		try {
			return this.expression.getValue(context(call));
		}
		catch (RuntimeException ex) {
			throw new JobKeyException("The " + this + " failed with " + describe(ex)
					+ ". Make it work for every call, for instance with '?.' where a value may be null,"
					+ " or use a JobKeyGenerator", ex);
		}
	}

	private EvaluationContext context(JobCall call) {
		List<@Nullable Object> arguments = call.arguments();
		StandardEvaluationContext context = new StandardEvaluationContext();
		this.delegates.applyDelegatesTo(context);
		context.setVariable(QUEUE, call.queue());
		for (int i = 0; i < arguments.size(); i++) {
			Object argument = arguments.get(i);
			context.setVariable("p" + i, argument);
			context.setVariable("a" + i, argument);
		}
		for (int i = 0; i < arguments.size(); i++) {
			String name = this.names.get(i);
			if (name != null) {
				context.setVariable(name, arguments.get(i));
			}
		}
		return context;
	}

	private static String describe(RuntimeException ex) {
		return (ex instanceof SpelEvaluationException failure) ? failure.getMessageCode().name()
				: ex.getClass().getName();
	}

	@Override
	public String toString() {
		return "key expression '" + this.text + "' of job '" + this.job + "'";
	}

}
