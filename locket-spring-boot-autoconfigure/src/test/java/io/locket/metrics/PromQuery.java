package io.locket.metrics;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The names in a PromQL query: metrics, label matchers, and the labels by which it
 * groups.
 */
public final class PromQuery {

	private static final Pattern TOKEN = Pattern
		.compile("\"[^\"]*\"|\\[[^]]*]|[a-zA-Z_:][a-zA-Z0-9_:]*|\\d[0-9.a-z]*|=~|!~|!=|==|[^\\s]");

	private static final Set<String> GROUPING = Set.of("by", "without", "on", "ignoring", "group_left", "group_right");

	private static final Set<String> OPERATORS = Set.of("and", "or", "unless", "offset", "bool");

	private final List<Selector> selectors = new ArrayList<>();

	private final Set<String> groupingLabels = new HashSet<>();

	private final List<String> tokens;

	private int at;

	private PromQuery(List<String> tokens) {
		this.tokens = tokens;
	}

	public static PromQuery parse(String text) {
		List<String> tokens = new ArrayList<>();
		Matcher matcher = TOKEN.matcher(text);
		while (matcher.find()) {
			tokens.add(matcher.group());
		}
		PromQuery query = new PromQuery(tokens);
		while (query.at < tokens.size()) {
			query.next();
		}
		return query;
	}

	public List<Selector> selectors() {
		return this.selectors;
	}

	public Set<String> groupingLabels() {
		return this.groupingLabels;
	}

	private void next() {
		String token = this.tokens.get(this.at++);
		if (token.equals("{")) {
			this.selectors.add(new Selector("", matchers()));
		}
		else if (!Character.isLetter(token.charAt(0)) || OPERATORS.contains(token)) {
			return;
		}
		else if (GROUPING.contains(token)) {
			group();
		}
		else if (!isNext("(") && !isNext("by") && !isNext("without")) {
			boolean matched = isNext("{");
			this.at += matched ? 1 : 0;
			this.selectors.add(new Selector(token, matched ? matchers() : List.of()));
		}
	}

	private void group() {
		this.at++;
		while (!isNext(")")) {
			String label = this.tokens.get(this.at++);
			if (!label.equals(",")) {
				this.groupingLabels.add(label);
			}
		}
		this.at++;
	}

	private List<LabelMatcher> matchers() {
		List<LabelMatcher> matchers = new ArrayList<>();
		while (!isNext("}")) {
			String label = this.tokens.get(this.at++);
			if (!label.equals(",")) {
				String value = this.tokens.get(this.at + 1);
				matchers.add(new LabelMatcher(label, List.of(value.substring(1, value.length() - 1).split("\\|"))));
				this.at += 2;
			}
		}
		this.at++;
		return matchers;
	}

	private boolean isNext(String token) {
		return this.at < this.tokens.size() && this.tokens.get(this.at).equals(token);
	}

	/**
	 * A selector of series.
	 *
	 * @param metric the name of their metric, empty if only labels select them
	 * @param matchers the label matchers
	 */
	public record Selector(String metric, List<LabelMatcher> matchers) {

	}

	/**
	 * A label matcher.
	 *
	 * @param label the label
	 * @param values the accepted values
	 */
	public record LabelMatcher(String label, List<String> values) {

	}

}
