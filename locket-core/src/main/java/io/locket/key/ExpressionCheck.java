package io.locket.key;

import java.util.Set;
import java.util.stream.Collectors;

import io.locket.JobKeyException;

import org.springframework.expression.spel.SpelNode;
import org.springframework.expression.spel.ast.Assign;
import org.springframework.expression.spel.ast.BeanReference;
import org.springframework.expression.spel.ast.CompoundExpression;
import org.springframework.expression.spel.ast.FunctionReference;
import org.springframework.expression.spel.ast.Indexer;
import org.springframework.expression.spel.ast.InlineMap;
import org.springframework.expression.spel.ast.MethodReference;
import org.springframework.expression.spel.ast.OpDec;
import org.springframework.expression.spel.ast.OpInc;
import org.springframework.expression.spel.ast.Projection;
import org.springframework.expression.spel.ast.PropertyOrFieldReference;
import org.springframework.expression.spel.ast.Selection;
import org.springframework.expression.spel.ast.VariableReference;

/**
 * Check of a key expression before the first call. It finds unknown variables, which SpEL
 * evaluates to {@code null}, and names without {@code #}, which SpEL refuses at every
 * call.
 */
final class ExpressionCheck {

	private final String expression;

	private final String job;

	private final Set<String> known;

	private final boolean namesKnown;

	private ExpressionCheck(String job, String expression, Set<String> known, boolean namesKnown) {
		this.job = job;
		this.expression = expression;
		this.known = known;
		this.namesKnown = namesKnown;
	}

	static void check(String job, String expression, SpelNode root, Set<String> known, boolean namesKnown) {
		new ExpressionCheck(job, expression, known, namesKnown).visit(root, false, false);
	}

	/**
	 * Checks a node and its children.
	 * @param node the node
	 * @param scoped whether it is evaluated for each element of a collection, which is
	 * {@code #this}
	 * @param relative whether it follows a dot
	 */
	private void visit(SpelNode node, boolean scoped, boolean relative) {
		if (node instanceof VariableReference || node instanceof FunctionReference) {
			checkVariable(node, scoped);
		}
		else if (node instanceof PropertyOrFieldReference || node instanceof MethodReference) {
			checkTarget(node, scoped || relative);
		}
		else if (node instanceof BeanReference || node instanceof Assign || node instanceof OpInc
				|| node instanceof OpDec) {
			throw refusal(node, "but a key must depend on the call only and change nothing");
		}
		boolean childScoped = scoped || node instanceof Projection || node instanceof Selection;
		for (int i = 0; i < node.getChildCount(); i++) {
			if (!isLiteralName(node, i)) {
				visit(node.getChild(i), childScoped, node instanceof CompoundExpression && i > 0);
			}
		}
	}

	/**
	 * Returns whether a child is a literal name, as in {@code {name: #value}} and
	 * {@code #map[name]}.
	 * @param node the node
	 * @param child the position of the child
	 * @return whether it is not evaluated
	 */
	private static boolean isLiteralName(SpelNode node, int child) {
		boolean name = node instanceof Indexer || (node instanceof InlineMap && child % 2 == 0);
		return name && node.getChild(child) instanceof PropertyOrFieldReference;
	}

	private void checkVariable(SpelNode node, boolean scoped) {
		String name = node.toStringAST().substring(1).split("\\(", 2)[0];
		boolean there = name.equals("this") ? scoped : this.known.contains(name) && !name.equals("root");
		if (!there) {
			throw refusal(node, "which does not exist");
		}
	}

	private void checkTarget(SpelNode node, boolean there) {
		if (!there) {
			throw refusal(node, "but there is no root object: variables begin with '#'");
		}
	}

	private JobKeyException refusal(SpelNode node, String problem) {
		StringBuilder message = new StringBuilder("The key expression '").append(this.expression)
			.append("' of job '")
			.append(this.job)
			.append("' uses '")
			.append(node.toStringAST())
			.append("', ")
			.append(problem)
			.append(". Available variables: ")
			.append(this.known.stream().map((name) -> "#" + name).collect(Collectors.joining(", ")));
		if (!this.namesKnown) {
			message.append(
					"; parameter names are missing since the class was compiled without -parameters (with Maven, set"
							+ " <parameters>true</parameters> of maven-compiler-plugin)");
		}
		return new JobKeyException(message.toString(), null);
	}

}
