package io.locket.redis.script;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import org.springframework.core.io.FileSystemResource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link LuaSource}.
 */
class LuaSourceTests {

	@TempDir
	private Path directory;

	@BeforeEach
	void write() throws IOException {
		write("text.lua", """
				-- Writes numbers.
				local function text(number)
				  -- All digits.
				  return string.format('%.0f', number)
				end
				""");
	}

	@Test
	void includedFileStandsWhereItIsNamedFirst() throws IOException {
		write("one.lua", "local one = redis.call('GET', KEYS[1])\n-- @include text.lua\nlocal two = text(one)\n");
		write("main.lua", "-- @include one.lua\n-- @include text.lua\nreturn text(two)\n");
		assertThat(source("main.lua")).containsOnlyOnce("local function text")
			.matches("(?s)local one.*local function text.*local two.*return text\\(two\\)\n");
	}

	@Test
	void fileIsIncludedOnceByHoweverMany() throws IOException {
		write("one.lua", "-- @include text.lua\nlocal one = redis.call('GET', text(1))\n");
		write("two.lua", "-- @include text.lua\nreturn text(one)\n");
		assertThat(source("text.lua", "one.lua", "two.lua")).containsOnlyOnce("local function text");
	}

	@Test
	void insertedFileStandsWhereverItIsNamed() throws IOException {
		write("part.lua", "redis.call('INCR', KEYS[i])\n");
		write("main.lua", "local i = #KEYS\n-- @insert part.lua\ni = i - 1\n  -- @insert part.lua\nreturn i\n");
		assertThat(source("main.lua")).isEqualTo("""
				local i = #KEYS
				redis.call('INCR', KEYS[i])
				i = i - 1
				redis.call('INCR', KEYS[i])
				return i
				""");
	}

	@Test
	void fileThatIncludesItselfIsIncludedOnce() throws IOException {
		write("main.lua", "-- @include main.lua\nreturn 1\n");
		assertThat(source("main.lua")).isEqualTo("return 1\n");
	}

	@Test
	void fileIsFoundBesideTheOneThatIncludesIt() throws IOException {
		Files.createDirectories(this.directory.resolve("sub"));
		write("sub/part.lua", "-- @include ../text.lua\nlocal one = redis.call('GET', text(1))\n");
		write("main.lua", "-- @include sub/part.lua\nreturn one\n");
		assertThat(source("main.lua")).contains("local function text", "local one", "return one");
	}

	@Test
	void missingFileIsNamed() throws IOException {
		write("main.lua", "-- @include missing.lua\nreturn 1\n");
		assertThatExceptionOfType(RuntimeException.class).isThrownBy(() -> source("main.lua"))
			.withMessageContaining("missing.lua");
	}

	@Test
	void commentsAndBlankLinesAreLeftOut() throws IOException {
		write("main.lua", "-- Header\n\nlocal a = redis.call('TIME')  -- kept\n  -- inner\nreturn a\n");
		assertThat(source("main.lua")).isEqualTo("local a = redis.call('TIME')  -- kept\nreturn a\n");
	}

	@Test
	void unusedFunctionsAndConstantsAreLeftOut() throws IOException {
		write("main.lua", """
				local SIZE = 7
				local NAMES = {'a', 'b'}
				local USED = 'x'
				local function deepest()
				  return SIZE
				end
				local function deep()
				  return deepest()
				end
				local function again(number)
				  return again(number - 1)
				end
				return USED
				""");
		assertThat(source("main.lua")).isEqualTo("return 'x'\n");
	}

	@Test
	void usedFunctionKeepsWhatItUses() throws IOException {
		String lua = """
				local SIZES = {7}
				local function inner()
				  return SIZES
				end
				local function outer()
				  return inner()
				end
				return outer()
				""";
		write("main.lua", lua);
		assertThat(source("main.lua")).isEqualTo(lua);
	}

	@Test
	void callsOfRedisAreKept() throws IOException {
		String lua = "local time = redis.call('TIME')\nlocal one, two = 1, 2\nreturn 1\n";
		write("main.lua", lua);
		assertThat(source("main.lua")).isEqualTo(lua);
	}

	@Test
	void namesThatContainTheNameOfAFunctionDoNotKeepIt() throws IOException {
		write("main.lua", "-- @include text.lua\nlocal texts = redis.call('GET', KEYS[1])\nreturn texts\n");
		assertThat(source("main.lua")).doesNotContain("function");
	}

	@Test
	void namesInTextsDoNotKeepAFunction() throws IOException {
		write("main.lua", "-- @include text.lua\nreturn redis.call('GET', 'text')\n");
		assertThat(source("main.lua")).doesNotContain("function");
	}

	private void write(String file, String lua) throws IOException {
		Files.writeString(this.directory.resolve(file), lua);
	}

	private String source(String... files) {
		return LuaSource
			.of(List.of(files).stream().map((file) -> new FileSystemResource(this.directory.resolve(file))).toList());
	}

}
