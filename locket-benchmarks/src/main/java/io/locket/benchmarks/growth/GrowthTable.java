package io.locket.benchmarks.growth;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;

import io.locket.benchmarks.measure.Report;
import io.locket.benchmarks.measure.Rounds;
import io.locket.benchmarks.measure.Series;
import io.locket.benchmarks.measure.Usage;
import io.locket.benchmarks.measure.Variant;
import io.locket.benchmarks.result.Chapter;
import io.locket.benchmarks.result.Table;

/**
 * Cost of operations in crowds of several sizes, which take turns. Each operation is a
 * row, each size a column.
 */
final class GrowthTable {

	private final Rounds rounds;

	private final List<Crowd> crowds;

	private final List<List<String>> redis = new ArrayList<>();

	private final List<List<String>> millis = new ArrayList<>();

	GrowthTable(Rounds rounds, List<Crowd> crowds) {
		this.rounds = rounds;
		this.crowds = crowds;
	}

	/**
	 * Measures the operations of an application and of an operator on one job or page.
	 */
	void measureOperations() {
		measure("enqueue one", 500, Integer.MAX_VALUE, CrowdVariant::enqueue);
		measure("settle and reserve, a job of a busy worker", 1_000, Integer.MAX_VALUE, CrowdVariant::work);
		measure("cancel one", 300, Integer.MAX_VALUE, CrowdVariant::cancel);
		measure("list a page of 50", 50, Integer.MAX_VALUE, CrowdVariant::list);
		measure("overview", 100, Integer.MAX_VALUE, CrowdVariant::overview);
	}

	/**
	 * Measures an operation.
	 * @param name the name of the operation
	 * @param count the number of operations of a run
	 * @param most the size of the largest crowd to measure
	 * @param operation makes the operation of a crowd
	 */
	void measure(String name, int count, int most, Function<Crowd, Variant> operation) {
		List<Variant> variants = this.crowds.stream().filter((crowd) -> crowd.size() <= most).map(operation).toList();
		if (!variants.isEmpty()) {
			Series series = this.rounds.compare(count, variants);
			this.redis.add(row(name, variants, series, Usage::redisMicrosEach));
			this.millis.add(row(name, variants, series, (usage) -> 1e3 / usage.perSecond()));
		}
	}

	private List<String> row(String name, List<Variant> variants, Series series, ToDoubleFunction<Usage> figure) {
		List<String> row = new ArrayList<>(List.of(name));
		variants.forEach((variant) -> row.add(Report.number(series.median(variant.name(), figure))));
		while (row.size() <= this.crowds.size()) {
			row.add("not measured");
		}
		row.add(Report.number(series.ratio(variants.get(variants.size() - 1).name(), variants.get(0).name(), figure)));
		return row;
	}

	/**
	 * Returns the tables.
	 * @param things the things that the sizes count
	 * @return the table of Redis's time, and the table of the elapsed time
	 */
	Table[] tables(String things) {
		return new Table[] { new Table(Chapter.REDIS, header("us of Redis, beside " + things), this.redis),
				new Table(Chapter.ABSOLUTE, header("ms, beside " + things), this.millis) };
	}

	private List<String> header(String title) {
		List<String> header = new ArrayList<>(List.of(title));
		this.crowds.forEach((crowd) -> header.add(Sizes.text(crowd.size())));
		header.add("last / first");
		return header;
	}

}
