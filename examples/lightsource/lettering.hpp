// SPDX-License-Identifier: Apache-2.0
//
// Short texts in pictures: letters of 5 x 9 dots, drawn twice as large.
#pragma once

#include <string_view>

#include "picture.hpp"

namespace lightsource {

constexpr std::uint32_t letter_height = 14;  ///< pixels from the line of a text to the top of its capitals

/// Pixels of a text in its direction.
std::uint32_t text_length(std::string_view text);

/// Draws a text whose upper left corner is at (x, y). Dots outside of the picture and letters that are
/// unknown are left out.
void draw_text(Picture& picture, std::uint32_t x, std::uint32_t y, std::string_view text, Colour colour = {});

/// Draws a text that reads from below; (x, y) is its upper left corner in the picture.
void draw_text_upwards(Picture& picture, std::uint32_t x, std::uint32_t y, std::string_view text,
                       Colour colour = {});

}  // namespace lightsource
