package io.locket.docs;

import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The states of jobs and their transitions in docs/how-a-job-lives.md.
 *
 * @param states the states
 * @param waiting the states of the group
 * @param ended the states with an arrow to the end
 * @param transitions the other arrows, of the form {@code READY --> RUNNING}
 */
record StatePicture(Set<String> states, Set<String> waiting, Set<String> ended, Set<String> transitions) {

	static final String EDGE = "[*]";

	private static final Pattern ARROW = Pattern.compile("(\\S+) --> ([^\\s:]+).*");

	private static final String GROUP = "Waiting";

	static StatePicture read() {
		StatePicture picture = new StatePicture(new TreeSet<>(), new TreeSet<>(), new TreeSet<>(), new TreeSet<>());
		Set<String> ofGroup = new TreeSet<>();
		boolean inGroup = false;
		for (String line : MermaidPicture.of("how-a-job-lives.md", "stateDiagram").lines()) {
			Matcher arrow = ARROW.matcher(line);
			if (line.equals("state " + GROUP + " {") || line.equals("}")) {
				inGroup = line.endsWith("{");
			}
			else if (!arrow.matches()) {
				throw new IllegalArgumentException("No arrow: " + line);
			}
			else if (arrow.group(1).equals(GROUP)) {
				ofGroup.add(arrow.group(2));
			}
			else {
				picture.add(arrow.group(1), arrow.group(2), inGroup);
			}
		}
		picture.waiting.forEach((from) -> ofGroup.forEach((to) -> picture.add(from, to, false)));
		return picture;
	}

	private void add(String from, String to, boolean inGroup) {
		for (String state : Set.of(from, to)) {
			if (!state.equals(EDGE)) {
				this.states.add(state);
			}
			if (inGroup) {
				this.waiting.add(state);
			}
		}
		if (to.equals(EDGE)) {
			this.ended.add(from);
		}
		else {
			this.transitions.add(from + " --> " + to);
		}
	}

}
