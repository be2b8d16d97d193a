package io.locket.metrics;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import io.locket.metrics.PromQuery.LabelMatcher;
import io.locket.metrics.PromQuery.Selector;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.yaml.snakeyaml.Yaml;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for the dashboard and the alert rules against the metrics that Prometheus scrapes
 * from Locket.
 */
class MonitoringFilesTests {

	private static final Path DOCS = Path.of("..", "docs");

	/**
	 * The labels that Prometheus itself adds to all metrics.
	 */
	private static final Set<String> TARGET_LABELS = Set.of("job", "instance");

	private static final Set<String> NAME_LABELS = Set.of("job", "instance", "exported_job", "queue", "schedule");

	/**
	 * The labels of each metric with their values after a scrape.
	 */
	private static final Map<String, Map<String, Set<String>>> EXPOSED = new HashMap<>();

	@BeforeAll
	static void scrape() {
		PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
		EveryMeter.in(registry);
		registry.scrape().lines().filter((line) -> !line.startsWith("#")).forEach(MonitoringFilesTests::expose);
	}

	private static void expose(String sample) {
		String metric = sample.split("[{ ]", 2)[0];
		Map<String, Set<String>> labels = EXPOSED.computeIfAbsent(metric, (name) -> new HashMap<>());
		Pattern.compile("([a-z_]+)=\"([^\"]*)\"")
			.matcher(sample)
			.results()
			.forEach((label) -> labels.computeIfAbsent(scraped(label.group(1)), (name) -> new HashSet<>())
				.add(label.group(2)));
	}

	/**
	 * Returns the scraped name of a label. A label that the target has as well is
	 * renamed.
	 */
	private static String scraped(String label) {
		return TARGET_LABELS.contains(label) ? "exported_" + label : label;
	}

	@Test
	void dashboardNamesWhatIsThere() throws IOException {
		List<String> queries = dashboardQueries();
		assertThat(queries).hasSizeGreaterThan(40).allSatisfy(MonitoringFilesTests::assertNamesWhatIsThere);
	}

	@Test
	void dashboardShowsEveryMeter() throws IOException {
		Set<String> shown = new TreeSet<>();
		for (String query : dashboardQueries()) {
			PromQuery.parse(query).selectors().forEach((selector) -> shown.add(selector.metric()));
		}
		assertThat(LocketMeters.values()).allSatisfy((meter) -> assertThat(shown)
			.anyMatch((metric) -> metric.matches(meter.meterName().replace('.', '_') + "(_total|_seconds(_\\w+)?)?")));
	}

	@Test
	void panelsOfTheDashboardHaveTitlesAndPlacesOfTheirOwn() throws IOException {
		Set<Integer> ids = new HashSet<>();
		Set<String> places = new HashSet<>();
		for (JsonNode panel : dashboard().get("panels")) {
			JsonNode place = panel.get("gridPos");
			assertThat(ids.add(panel.get("id").asInt())).isTrue();
			assertThat(places.add(place.get("x") + " " + place.get("y"))).isTrue();
			assertThat(place.get("x").asInt() + place.get("w").asInt()).isLessThanOrEqualTo(24);
			assertThat(panel.get("title").asString()).isNotBlank();
		}
	}

	@Test
	void legendsOfTheDashboardNameLabelsOfTheirQueries() throws IOException {
		for (JsonNode panel : dashboard().get("panels")) {
			for (JsonNode target : panel.path("targets")) {
				Set<String> grouping = PromQuery.parse(target.get("expr").asString()).groupingLabels();
				assertThat(grouping).containsAll(names("\\{\\{(\\w+)}}", target.get("legendFormat").asString()));
			}
		}
	}

	@Test
	void rulesNameWhatIsThere() throws IOException {
		List<Map<String, Object>> rules = rules();
		assertThat(rules).hasSizeGreaterThan(10)
			.allSatisfy((rule) -> assertNamesWhatIsThere(rule.get("expr").toString()))
			.allSatisfy((rule) -> assertThat(map(rule, "labels")).containsKey("severity"))
			.allSatisfy((rule) -> assertThat(map(rule, "annotations")).containsOnlyKeys("summary", "description"));
	}

	@Test
	void rulesSayOnlyWhatTheirQueriesTell() throws IOException {
		for (Map<String, Object> rule : rules()) {
			Set<String> told = new TreeSet<>(PromQuery.parse(rule.get("expr").toString()).groupingLabels());
			if (told.isEmpty()) {
				told.addAll(TARGET_LABELS);
			}
			map(rule, "annotations").values()
				.forEach((text) -> assertThat(told).as(rule.get("alert").toString())
					.containsAll(names("\\$labels\\.(\\w+)", text.toString())));
		}
	}

	/**
	 * A counter that was missing in one scrape is not new, and a counter at zero is no
	 * alert.
	 */
	@Test
	void rulesOfNewCountersReachBackBeyondAScrapeThatFailed() throws IOException {
		Pattern isNew = Pattern.compile("\\((\\S+) > 0 unless last_over_time\\((\\S+)\\[1h] offset (\\w+)\\)\\)");
		int found = 0;
		for (Map<String, Object> rule : rules()) {
			String expression = rule.get("expr").toString().replaceAll("\\s+", " ");
			Matcher matcher = isNew.matcher(expression);
			if (!expression.contains("offset") && !expression.contains("or (")) {
				continue;
			}
			found++;
			assertThat(matcher.find()).as(expression).isTrue();
			assertThat(matcher.group(1)).isEqualTo(matcher.group(2));
			assertThat(expression).contains("increase(%s[%s]) > 0".formatted(matcher.group(1), matcher.group(3)));
		}
		assertThat(found).isEqualTo(7);
	}

	@Test
	void rulesThatWaitForHoursOutlastAScrapeThatFailed() throws IOException {
		List<Map<String, Object>> patient = rules().stream()
			.filter((rule) -> String.valueOf(rule.get("for")).matches("\\d+[hd]"))
			.toList();
		assertThat(patient).hasSize(3)
			.allSatisfy((rule) -> assertThat(rule.get("expr").toString()).contains("max_over_time("));
	}

	@Test
	void oneFailureAloneIsNoShareAndNotCritical() throws IOException {
		for (Map<String, Object> rule : rules()) {
			String expression = rule.get("expr").toString().replaceAll("\\s+", " ");
			if (expression.contains(" / ")) {
				assertThat(expression).containsPattern(" and sum by \\(.*\\) \\(increase\\(.*\\)\\) > [1-9]");
			}
			if (expression.contains("locket_heartbeat_failures_total")) {
				assertThat(expression).containsPattern("increase\\(.*\\)\\) > [1-9]");
			}
		}
	}

	@Test
	void pageListsEveryRule() throws IOException {
		String page = Files.readString(DOCS.resolve("metrics.md"));
		List<String> listed = Pattern.compile("(?m)^\\| `(Locket[A-Z]\\w+)` \\|")
			.matcher(page)
			.results()
			.map((MatchResult row) -> row.group(1))
			.toList();
		assertThat(listed).isEqualTo(rules().stream().map((rule) -> rule.get("alert").toString()).toList());
	}

	private static void assertNamesWhatIsThere(String text) {
		PromQuery query = PromQuery.parse(text);
		assertThat(query.selectors()).as(text).isNotEmpty();
		Set<String> labels = new HashSet<>(TARGET_LABELS);
		for (Selector selector : query.selectors()) {
			for (String metric : metrics(selector)) {
				assertThat(EXPOSED).as(text).containsKey(metric);
				labels.addAll(EXPOSED.get(metric).keySet());
				selector.matchers().forEach((matcher) -> assertMatches(text, EXPOSED.get(metric), matcher));
			}
		}
		assertThat(labels).as(text).containsAll(query.groupingLabels());
	}

	private static List<String> metrics(Selector selector) {
		return selector.matchers()
			.stream()
			.filter((matcher) -> matcher.label().equals("__name__"))
			.findFirst()
			.map(LabelMatcher::values)
			.orElse(List.of(selector.metric()));
	}

	private static void assertMatches(String text, Map<String, Set<String>> labels, LabelMatcher matcher) {
		String label = matcher.label();
		if (label.equals("__name__")) {
			return;
		}
		if (!TARGET_LABELS.contains(label)) {
			assertThat(labels).as(text).containsKey(label);
		}
		if (!NAME_LABELS.contains(label)) {
			assertThat(labels.get(label)).as(text).containsAll(matcher.values());
		}
	}

	private static JsonNode dashboard() throws IOException {
		return new JsonMapper().readTree(Files.readString(DOCS.resolve("grafana/locket.json")));
	}

	/**
	 * Returns the queries of panels and variables, with {@code label_values} as a
	 * function of a metric.
	 */
	private static List<String> dashboardQueries() throws IOException {
		List<String> queries = new ArrayList<>();
		JsonNode dashboard = dashboard();
		dashboard.get("panels")
			.forEach((panel) -> panel.path("targets").forEach((target) -> queries.add(target.get("expr").asString())));
		dashboard.get("templating").get("list").forEach((variable) -> {
			if (variable.get("type").asString().equals("query")) {
				queries.add(variable.get("definition").asString().replaceAll(", (\\w+)\\)$", ") by ($1)"));
			}
		});
		return queries;
	}

	private static List<Map<String, Object>> rules() throws IOException {
		Map<String, Object> file = new Yaml().load(Files.readString(DOCS.resolve("prometheus/locket-alerts.yml")));
		return list(file, "groups").stream().flatMap((group) -> list(group, "rules").stream()).toList();
	}

	@SuppressWarnings("unchecked")
	private static List<Map<String, Object>> list(Map<String, Object> node, String name) {
		return (List<Map<String, Object>>) node.get(name);
	}

	@SuppressWarnings("unchecked")
	private static Map<String, Object> map(Map<String, Object> node, String name) {
		return (Map<String, Object>) node.get(name);
	}

	private static Set<String> names(String pattern, String text) {
		return Pattern.compile(pattern)
			.matcher(text)
			.results()
			.map((MatchResult name) -> name.group(1))
			.collect(Collectors.toCollection(TreeSet::new));
	}

}
