package io.locket.key;

import java.lang.reflect.Method;
import java.time.YearMonth;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

import io.locket.JobKeyException;
import io.locket.key.canonical.CanonicalJson;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link ExpressionKeyGenerator}.
 */
class ExpressionKeyGeneratorTests {

	private static final Command COMMAND = new Command(42, new Owner("ann"), List.of(new Owner("b"), new Owner("c")));

	@ParameterizedTest
	@CsvSource(delimiter = '|',
			value = { "#id | 7", "#p0 | 7", "#a1.id | 42", "{#id, #cmd.id} | [7,42]", "#id % 5 | 2",
					"#cmd.owner.name | \"ann\"", "#cmd.owner?.name | \"ann\"", "#cmd.owner().getName() | \"ann\"",
					"{customer: #id, 'name': #cmd.owner.name} | {\"customer\":7,\"name\":\"ann\"}",
					"#cmd.others.![name] | [\"b\",\"c\"]", "#cmd.others.![#this.name] | [\"b\",\"c\"]",
					"#cmd.others.?[name == 'c'].![{name, #id}] | [[\"c\",7]]", "#cmd.others[0].name | \"b\"",
					"#map['period'] | \"2026-05\"", "#map[period] | \"2026-05\"", "T(java.lang.Math).abs(-#id) | 7",
					"#id > 5 ? 'big' : #cmd.id | \"big\"", "#map['none'] ?: 'default' | \"default\"",
					"new java.math.BigDecimal('1.50') | 1.5", "#cmd.id.toString() + '/' + #id | \"42/7\"" })
	void expressionIsEvaluated(String expression, String expected) throws Exception {
		assertThat(new CanonicalJson().write(generator(expression).generate(call()))).isEqualTo(expected);
	}

	@Test
	void queueIsAVariable() throws Exception {
		JobCall call = JobCall.of("billing.bill", "invoices", method(), call().arguments().toArray());
		assertThat(generator("{#queue, #id}").generate(call)).isEqualTo(List.of("invoices", 7L));
		assertThat(generator("{#queue, #id}").generate(call())).isEqualTo(List.of("", 7L));
	}

	@Test
	void parameterHidesTheQueue() throws Exception {
		Method method = Jobs.class.getMethod("drain", String.class);
		assertThat(new ExpressionKeyGenerator("job", method, "#queue")
			.generate(JobCall.of("job", "invoices", method, "mine"))).isEqualTo("mine");
	}

	@Test
	void parameterThatTheRootObjectHidesIsRefused() throws Exception {
		Method method = Jobs.class.getMethod("visit", String.class);
		assertThatExceptionOfType(JobKeyException.class)
			.isThrownBy(() -> new ExpressionKeyGenerator("job", method, "#root"))
			.withMessageContaining("which does not exist");
		assertThat(new ExpressionKeyGenerator("job", method, "#p0").generate(JobCall.of("job", method, "mine")))
			.isEqualTo("mine");
	}

	@Test
	void typeIsLoadedLikeItsJobWhateverTheThread() throws Exception {
		ClassLoader loader = Thread.currentThread().getContextClassLoader();
		Thread.currentThread().setContextClassLoader(ClassLoader.getPlatformClassLoader());
		try {
			String expression = "T(" + KeyText.class.getName() + ").cut(#cmd.owner.name)";
			assertThat(generator(expression).generate(call())).isEqualTo("ann");
		}
		finally {
			Thread.currentThread().setContextClassLoader(loader);
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "{#id", "#", "#id +", "", " ", "#id #id", "'" })
	void expressionThatDoesNotParseIsRefused(String expression) {
		assertThatExceptionOfType(JobKeyException.class).isThrownBy(() -> generator(expression))
			.withMessageContaining("'" + expression + "'")
			.withMessageContaining("'billing.bill'")
			.withMessageContaining("does not parse");
	}

	@ParameterizedTest
	@ValueSource(strings = { "#custmerId", "{#id, #Id}", "#p3", "#cmd.others.![#that.name]", "#id > 1 ? #x : 2",
			"{a: #x}", "#map[#x]", "T(Math).abs(#x)", "#cmd.owner.name.concat(#x)", "#this", "#root", "#root.id",
			"{#id, #this}", "#fn(#id)", "#x?.y", "#x ?: 1", "!#x", "new String(#x)" })
	void unknownVariableIsRefused(String expression) {
		assertThatExceptionOfType(JobKeyException.class).isThrownBy(() -> generator(expression))
			.withMessageContaining("which does not exist")
			.withMessageContaining("'" + expression + "'")
			.withMessageContaining("'billing.bill'")
			.withMessageContaining("Available variables: #id, #cmd, #map, #p0, #a0, #p1, #a1, #p2, #a2, #queue")
			.withMessageNotContaining("-parameters");
	}

	@ParameterizedTest
	@ValueSource(strings = { "id", "{id}", "{#id, cmd.id}", "toString()", "#cmd.owner.name.concat(name)", "{a: id}" })
	void nameWithoutAHashIsRefused(String expression) {
		assertThatExceptionOfType(JobKeyException.class).isThrownBy(() -> generator(expression))
			.withMessageContaining("variables begin with '#'")
			.withMessageContaining("Available variables: #id");
	}

	@ParameterizedTest
	@ValueSource(strings = { "@bean.id", "#id = 5", "#cmd.id = 5", "{#id, @bean}" })
	void expressionThatDependsOnMoreOrChangesSomethingIsRefused(String expression) {
		assertThatExceptionOfType(JobKeyException.class).isThrownBy(() -> generator(expression))
			.withMessageContaining("must depend on the call only");
	}

	@Test
	void missingParameterNamesAreReported() throws Exception {
		Method method = String.class.getMethod("concat", String.class);
		assertThatExceptionOfType(JobKeyException.class)
			.isThrownBy(() -> new ExpressionKeyGenerator("job", method, "#str"))
			.withMessageContaining("Available variables: #p0, #a0, #queue")
			.withMessageContaining("-parameters");
		assertThat(new ExpressionKeyGenerator("job", method, "#p0").generate(JobCall.of("job", method, "x")))
			.isEqualTo("x");
	}

	@Test
	void methodWithoutParametersIsReported() throws Exception {
		Method method = String.class.getMethod("trim");
		assertThatExceptionOfType(JobKeyException.class)
			.isThrownBy(() -> new ExpressionKeyGenerator("job", method, "#x"))
			.withMessageContaining("Available variables: #queue");
		assertThat(new ExpressionKeyGenerator("job", method, "'one'").generate(JobCall.of("job", method)))
			.isEqualTo("one");
	}

	@ParameterizedTest
	@ValueSource(strings = { "#cmd.owner.name", "#cmd.none", "T(Long).parseLong('x')", "T(no.such.Type).x", "#id / 0" })
	void failureHasItsRemedy(String expression) throws Exception {
		JobCall call = JobCall.of("billing.bill", method(), 7, new Command(1, null, List.of()), Map.of());
		assertThatExceptionOfType(JobKeyException.class).isThrownBy(() -> generator(expression).generate(call))
			.withMessageContaining("'" + expression + "'")
			.withMessageContaining("'billing.bill'")
			.withMessageContaining("Make it work for every call");
	}

	@Test
	void expressionIsEvaluatedOnceForEachCall() throws Exception {
		Counter counter = new Counter();
		Method method = Jobs.class.getMethod("count", Counter.class);
		ExpressionKeyGenerator generator = new ExpressionKeyGenerator("job", method, "{#counter.next(), 'x'}");
		new JobKeys().keyOf(JobCall.of("job", method, counter), generator, false);
		assertThat(counter.count).hasValue(1);
	}

	@Test
	void expressionIsEvaluatedFromManyThreads() throws Exception {
		ExpressionKeyGenerator generator = generator("{#id, #cmd.owner.name, #cmd.others.![name]}");
		Method method = method();
		assertThat(IntStream.range(0, 20_000).parallel().mapToObj((i) -> {
			Command command = new Command(i, new Owner("n" + i), Arrays.asList(new Owner("o" + i)));
			return generator.generate(JobCall.of("job", method, (long) i, command, Map.of()))
				.equals(List.of((long) i, "n" + i, List.of("o" + i)));
		})).containsOnly(true);
	}

	@Test
	void generatorIsNamedByJobAndExpression() throws Exception {
		assertThat(generator("#id")).hasToString("key expression '#id' of job 'billing.bill'");
	}

	private static ExpressionKeyGenerator generator(String expression) throws Exception {
		return new ExpressionKeyGenerator("billing.bill", method(), expression);
	}

	private static JobCall call() throws Exception {
		return JobCall.of("billing.bill", method(), 7L, COMMAND, Map.of("period", YearMonth.of(2026, 5)));
	}

	private static Method method() throws Exception {
		return Jobs.class.getMethod("bill", long.class, Command.class, Map.class);
	}

	public interface Jobs {

		void bill(long id, Command cmd, Map<String, Object> map);

		void count(Counter counter);

		void drain(String queue);

		void visit(String root);

	}

	record Command(long id, Owner owner, List<Owner> others) {
	}

	public static class Owner {

		private final String name;

		Owner(String name) {
			this.name = name;
		}

		public String getName() {
			return this.name;
		}

	}

	public static class Counter {

		private final AtomicInteger count = new AtomicInteger();

		public int next() {
			return this.count.incrementAndGet();
		}

	}

}
